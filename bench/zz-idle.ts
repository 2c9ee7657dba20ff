import { Arena } from './arena';
import { bundlePrograms } from './support/bundle-programs';
import { join } from 'node:path';
(async () => {
	const [, , dist = '', count = '100'] = process.argv;
	const programs = '/tmp/wt/http/.tmp/bench-idle';
	await bundlePrograms(programs);
	const arena = new Arena(programs, join(dist, 'core', 'index.js'));
	await arena.open();
	const folder = arena.newFolder();
	const params = { baseUrl: arena.baseUrl, folder };
	const creator = arena.start('idle');
	let t = performance.now();
	await creator.call('open', { ...params, count: Number(count), push: false });
	console.log('created', performance.now() - t);
	await creator.call('close');
	await creator.stop();
	for (const n of [1, Number(count)]) {
		const p = arena.start('idle');
		t = performance.now();
		await p.call('open', { ...params, count: n, push: true });
		console.log('opened', n, performance.now() - t);
		console.log(JSON.stringify(await p.call('look', { forMs: 10_000 })));
		await p.call('close');
		await p.stop();
	}
	await arena.close();
})().catch((e) => {
	console.error(e);
	process.exit(1);
});
