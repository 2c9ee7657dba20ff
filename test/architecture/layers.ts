/**
 * The parts of the project and what each may import. A part is recognised by the longest prefix of
 * the path; a part may always import itself.
 */

/** Nouns in the order in which they may build on each other; `core/domain/*.ts` serves all. */
const nounOrder = [
	'unfinished',
	'envelope',
	'letter',
	'challenge',
	'identity',
	'idempotency',
	'operator',
	'setting',
	'identity-metadata',
	'attribute',
	'file',
	'token',
	'request',
	'template',
	'relationship',
	'contact',
	'message',
	'wait',
	'local-notification',
	'local-attribute',
	'attribute-sharing',
	'contact-data',
];

interface Part {
	readonly prefix: string;
	readonly mayImport: readonly string[];
}

const ports = ['core/store/store', 'core/backbone/port', 'core/backbone/dto', 'core/events'];
const foundation = ['core/base', 'core/model'];
/** Services implement the interfaces of the facade by name; the facade itself knows no service. */
const domainBase = [...foundation, 'core/crypto', 'core/facade', ...ports];

const nouns: Part[] = nounOrder.map((noun, index) => ({
	prefix: `core/domain/${noun}/`,
	mayImport: [
		...domainBase,
		'core/domain/',
		'core/domain/qr/',
		'core/domain/query/',
		...nounOrder.slice(0, index).map((earlier) => `core/domain/${earlier}/`),
	],
}));

export const parts: readonly Part[] = [
	{ prefix: 'core/base/', mayImport: [] },
	{ prefix: 'core/model/', mayImport: ['core/base'] },
	{ prefix: 'core/crypto/', mayImport: foundation },
	{ prefix: 'core/backbone/', mayImport: foundation },
	{ prefix: 'core/store/', mayImport: [...foundation, 'core/crypto', 'core/config'] },
	{ prefix: 'core/events/', mayImport: [...foundation, 'core/store/store'] },
	{ prefix: 'core/domain/', mayImport: [...domainBase, 'core/domain/unfinished'] },
	...nouns,
	{
		prefix: 'core/sync/',
		mayImport: [...domainBase, 'core/domain', 'core/backbone'],
	},
	{ prefix: 'core/problems/', mayImport: [...domainBase, 'core/domain', 'core/sync'] },
	{
		prefix: 'core/resumption/',
		mayImport: [...domainBase, 'core/domain/wait', 'core/publish/webhooks/webhook-caller'],
	},
	{
		prefix: 'core/webhooks/',
		mayImport: [...domainBase, 'core/domain/', 'core/publish/webhooks'],
	},
	{ prefix: 'core/facade/', mayImport: [...foundation, 'core/events', 'core/store/store'] },
	{ prefix: 'core/publish/webhooks/', mayImport: [...foundation, 'core/events', 'core/facade'] },
	{ prefix: 'core/publish/brokers/', mayImport: [...foundation, 'core/events', 'core/facade'] },
	{
		prefix: 'core/server/',
		mayImport: [
			...foundation,
			'core/events',
			'core/facade',
			// its modules
			'core/publish/',
		],
	},
	// The page runs in a browser: of the gateway it knows the types of what it shows.
	{
		prefix: 'core/server/admin/page/',
		mayImport: ['core/model', 'core/server/accounts/account-view'],
	},
	{ prefix: 'core/config', mayImport: foundation },
	{ prefix: 'core/gateway/', mayImport: ['core/'] },
	{
		prefix: 'core/gateway/gateway-registry',
		mayImport: [
			...foundation,
			'core/facade',
			'core/gateway/',
			'core/config',
			// which store and account a configuration means is the store's knowledge
			'core/store/open-store',
		],
	},
	{
		prefix: 'core/account-transfer/',
		mayImport: [...foundation, 'core/crypto', 'core/backbone', 'core/store', 'core/config'],
	},
	{ prefix: 'core/index', mayImport: ['core/'] },
	{ prefix: 'index', mayImport: ['core/index'] },
	{ prefix: 'package.json', mayImport: [] },
	{ prefix: 'docs/examples/', mayImport: [] },
	{ prefix: 'nodes/', mayImport: ['core/index', 'package.json'] },
	{ prefix: 'credentials/', mayImport: [] },
	// What the client reads and what the server writes share nothing: a mistake in both stays unseen.
	{ prefix: 'sandbox/', mayImport: [] },
	// The wallet is a program on the facade, like the nodes.
	{ prefix: 'sandbox/wallet/', mayImport: ['core/index', 'scripts/build/wallet-page.cjs'] },
	// The page runs in a browser: of the wallet it knows the types of what it shows.
	{ prefix: 'sandbox/wallet/page/', mayImport: ['sandbox/wallet/shown'] },
	{
		prefix: 'scripts/cli/',
		mayImport: ['core/index', 'core/server/index', 'sandbox/', 'package.json', 'docs/examples'],
	},
	{
		prefix: 'scripts/',
		mayImport: ['core/', 'nodes/', 'sandbox/', 'test/support', 'test/interop/peer', 'index'],
	},
	{
		prefix: 'bench/',
		mayImport: ['core/', 'sandbox/', 'test/support', 'test/interop/peer', 'nodes/', 'scripts/'],
	},
	{
		prefix: 'test/',
		mayImport: [
			...['bench/', 'core/', 'credentials/', 'index', 'nodes/', 'package.json', 'sandbox/'],
			'scripts/',
		],
	},
];

export function partOf(file: string): Part {
	const matching = parts.filter((part) => file.startsWith(part.prefix));
	const longest = matching.sort((a, b) => b.prefix.length - a.prefix.length)[0];
	if (longest === undefined) throw new TypeError(`'${file}' belongs to no part of the project`);
	return longest;
}

/** Whether a path lies at or below one of the given ones, `core/domain/` meaning its files only. */
export function mayImport(part: Part, target: string): boolean {
	if (partOf(target) === part) return true;
	return part.mayImport.some((allowed) =>
		allowed === 'core/domain/'
			? /^core\/domain\/[^/]+$/.test(target)
			: allowed.endsWith('/')
				? target.startsWith(allowed)
				: target === allowed || target.startsWith(`${allowed}/`),
	);
}
