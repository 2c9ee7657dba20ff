import { countsOf, numbersOf, runCommand, verdict } from '../harness/report';
import { AttackedGateway } from './attacked-gateway';
import { runFuzz } from './run-fuzz';

const shownSurprises = 20;

/**
 * `npm run fuzz`: sends invalid requests to every route of the HTTP gateway. Fails if an answer has
 * an unexpected form, or if a refused request changes data. The same seed sends the same requests.
 */
async function main(): Promise<void> {
	const { requests, seed } = numbersOf({
		requests: { default: 50_000, least: 1 },
		seed: { default: 20_260_101, least: 0 },
	});
	const attacked = await AttackedGateway.open();
	try {
		const report = await runFuzz(attacked, { requests, seed });
		console.log(
			`${requests} requests of seed ${seed}, answers by status: ${countsOf(report.statuses)}`,
		);
		console.log(`${report.codes.size} codes: ${countsOf(report.codes)}`);
		console.log(`${report.accepted} requests were valid by chance and changed data`);
		for (const surprise of report.surprises.slice(0, shownSurprises))
			console.error(`  ${surprise}`);
		verdict('surprises', report.surprises.length, report.surprises.length === 0);
	} finally {
		await attacked.close();
	}
}

runCommand(main);
