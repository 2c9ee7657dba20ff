import { parseArgs } from 'node:util';
import { AttackedGateway } from './attacked-gateway';
import { runFuzz, type FuzzReport } from './run-fuzz';

const shownSurprises = 20;

/**
 * `npm run fuzz`: sends invalid requests to every route of the HTTP gateway. Fails if an answer has
 * an unexpected form, or if a refused request changes data. The same seed sends the same requests.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			requests: { type: 'string', default: '50000' },
			seed: { type: 'string', default: '20260101' },
		},
	});
	const requests = Number(values.requests);
	const seed = Number(values.seed);
	if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
		throw new Error('Usage: npm run fuzz -- [--requests <number>] [--seed <number>]');
	}
	const attacked = await AttackedGateway.open();
	try {
		const report = await runFuzz({
			address: attacked.address,
			apiKey: attacked.apiKey,
			known: attacked.known,
			watch: attacked.watch,
			requests,
			seed,
			onProgress: (sent) => console.log(`${sent} of ${requests}`),
		});
		print(report, requests, seed);
	} finally {
		await attacked.close();
	}
}

function print(
	{ statuses, codes, accepted, surprises }: FuzzReport,
	sent: number,
	seed: number,
): void {
	const byCount = [...codes].sort(([, a], [, b]) => b - a);
	console.log(`
${sent} requests of seed ${seed}, answers by status: ${[...statuses]
		.sort(([a], [b]) => a - b)
		.map(([status, times]) => `${status}: ${times}`)
		.join(', ')}.
${codes.size} codes; the most frequent: ${byCount
		.slice(0, 8)
		.map(([code, times]) => `${code} ${times}`)
		.join(', ')}.
${accepted} requests were valid by chance and changed data.
${surprises.length} surprises.`);
	if (surprises.length === 0) return;
	for (const surprise of surprises.slice(0, shownSurprises)) console.error(`  ${surprise}`);
	process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
