/** Bundles the clients of message brokers separately, without their unused parts. */
const path = require('node:path');

const clients = ['amqp-client', 'mqtt-client', 'redis-client'];
const folder = path.join(__dirname, '..', '..', 'core', 'publish', 'brokers');

exports.brokerEntryPoints = clients.map((client) => `core/publish/brokers/${client}.ts`);

/** Publishing to one kind of broker never loads the clients of the others. */
exports.brokerClientsOutside = {
	name: 'broker-clients-outside',
	setup(build) {
		build.onResolve({ filter: /^\.\/[a-z]+-client$/ }, ({ path: imported, resolveDir }) =>
			resolveDir === folder && clients.includes(imported.slice(2))
				? { path: `./brokers${imported.slice(1)}.js`, external: true }
				: undefined,
		);
	},
};

exports.withoutUnused = {
	name: 'without-unused',
	setup(build) {
		// Replaces copies of modules that Node includes.
		build.onResolve({ filter: /^readable-stream$/ }, () => ({
			path: 'node:stream',
			external: true,
		}));
		build.onResolve({ filter: /^worker-timers$/ }, () => ({
			path: path.join(__dirname, 'no-browser-timers.cjs'),
		}));
		build.onResolve({ filter: /^\.\.\/commands$/ }, ({ resolveDir }) =>
			/@redis\/client\/dist\/lib\/client$/.test(resolveDir.replaceAll(path.sep, '/'))
				? { path: path.join(__dirname, 'redis-commands.cjs') }
				: undefined,
		);
	},
};
