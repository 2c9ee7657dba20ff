import { execFileSync } from 'node:child_process';

/** Violations of OpenAPI. The validator ships as an ES module that jest cannot load. */
export function problemsOf(document: object): unknown {
	const program = `
		import { Validator } from '@seriousme/openapi-schema-validator';
		let text = '';
		for await (const chunk of process.stdin) text += chunk;
		const { valid, errors } = await new Validator().validate(JSON.parse(text));
		console.log(JSON.stringify(valid ? [] : errors));`;
	const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
		input: JSON.stringify(document),
		encoding: 'utf8',
		cwd: __dirname,
	});
	return JSON.parse(said);
}
