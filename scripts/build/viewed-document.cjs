/**
 * Loads the OpenAPI document in the form that its viewer expects (viewer.cjs). The document is JSON
 * and refers to its own parts only, so parsers of YAML and of other documents are not needed.
 */

/** Replaces references by the parts they refer to, except inside of these parts themselves. */
function resolveReferences(document) {
	const parts = new Map();
	const resolve = (value) => {
		if (Array.isArray(value)) return value.map(resolve);
		if (value === null || typeof value !== 'object') return value;
		const { $ref, ...beside } = value;
		if (typeof $ref !== 'string') {
			return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]));
		}
		if (!parts.has($ref)) {
			parts.set($ref, undefined);
			parts.set($ref, resolve(partOf(document, $ref)));
		}
		const part = parts.get($ref);
		return part === undefined ? value : { ...part, ...resolve(beside) };
	};
	return resolve(document);
}

function partOf(document, reference) {
	const names = reference.replace(/^#\//, '').split('/');
	return names.reduce((part, name) => part[name], document);
}

const methods = ['get', 'put', 'post', 'patch', 'delete'];

/** Repeats the security of the document at each call that states none. */
function withSecurityOfCalls({ security, paths, ...document }) {
	const secured = Object.entries(paths).map(([path, calls]) => {
		const stated = Object.entries(calls).map(([name, call]) => [
			name,
			methods.includes(name) ? { security, ...call } : call,
		]);
		return [path, Object.fromEntries(stated)];
	});
	return { ...document, security, paths: Object.fromEntries(secured) };
}

module.exports = {
	async resolve({ url }) {
		const response = await fetch(url);
		if (!response.ok) return { response };
		return { spec: withSecurityOfCalls(resolveReferences(await response.json())) };
	},
};
