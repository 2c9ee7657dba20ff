import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const hostRules = n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport;
const cloudRules = n8nCommunityNodesPlugin.configs.recommended;

/**
 * The two rules in which the presets differ: globals and imports that nodes in n8n Cloud must not
 * use.
 */
const sandboxRules = Object.fromEntries(
	['no-restricted-globals', 'no-restricted-imports'].map((name) => {
		const rule = `@n8n/community-nodes/${name}`;
		return [rule, cloudRules.rules[rule]];
	}),
);

export default tseslint.config(
	{ ignores: ['dist/', 'node_modules/', '.tmp/', 'coverage/', 'docs/', 'test/vectors/'] },
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, ...tseslint.configs.recommended, hostRules],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			'no-console': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
			],
		},
	},
	{
		// Rules that need the types, for what is shipped and for the demo wallet.
		files: ['core/**/*.ts', 'nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.ts'],
		// It has settings of its own, for a browser.
		ignores: ['sandbox/wallet/page/**', 'core/server/admin/page/**'],
		languageOptions: {
			parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-unnecessary-type-assertion': 'error',
			// A `default` says that the other cases are meant.
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
		},
	},
	{
		files: ['core/**/*.ts', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		ignores: ['core/server/admin/page/**'],
		rules: { '@typescript-eslint/no-unsafe-type-assertion': 'error' },
	},
	{
		// The core has its own errors; node errors belong to the n8n layer.
		files: ['core/**/*.ts', 'sandbox/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
		rules: { '@n8n/community-nodes/require-node-api-error': 'off' },
	},
	{
		// Otherwise the texts of violations come from settings that all packages of a process share.
		files: ['core/**/*.ts', 'nodes/**/*.ts'],
		ignores: ['core/base/schema-parse.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...[
					'CallExpression[callee.property.name=/^(safeParse|parseAsync|safeParseAsync)$/]',
					'CallExpression[callee.property.name="parse"][callee.object.name!=/^(Date|JSON|URL)$/][callee.object.type!="ThisExpression"]',
				].map((selector) => ({ selector, message: 'Parse with core/base/schema-parse.ts.' })),
			],
		},
	},
	{
		// Programs talk to a terminal.
		files: ['scripts/**/*.ts', 'bench/**/*.ts', 'sandbox/start.ts'],
		rules: { 'no-console': 'off' },
	},
	{
		// Only the core touches the system: nodes and credentials obey the cloud rules too.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: sandboxRules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['package.json'],
		extends: [hostRules],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
		rules: {
			...n8nNodesBase.configs.community.rules,
			// The authors are those whom LICENSE names, and they share no e-mail address. `bugs` says
			// where questions go.
			'@n8n/community-nodes/valid-author': 'off',
		},
	},
	{
		files: ['**/*.{js,mjs,cjs}'],
		extends: [js.configs.recommended],
		languageOptions: {
			globals: {
				AbortController: 'readonly',
				Buffer: 'readonly',
				URL: 'readonly',
				clearInterval: 'readonly',
				clearTimeout: 'readonly',
				console: 'readonly',
				fetch: 'readonly',
				process: 'readonly',
				setInterval: 'readonly',
				setTimeout: 'readonly',
			},
		},
	},
	{
		files: ['**/*.cjs', 'gulpfile.js', 'jest.config.js', '.prettierrc.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { __dirname: 'readonly', module: 'writable', require: 'readonly' },
		},
	},
	{
		// n8n's rule against starting processes is meant for nodes; tests, benchmarks and tools may
		// start them.
		files: ['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
		rules: { '@n8n/community-nodes/no-dangerous-functions': 'off' },
	},
);
