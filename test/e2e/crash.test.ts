import { testsIn } from './support/n8n-test';
import { OnboardedHost } from './support/onboarded-host';
import { onMail } from './support/workflows';

jest.setTimeout(600_000);

const mails = 12;

describe('n8n killed while executions run', () => {
	let place: OnboardedHost;
	const it = testsIn(() => place?.host, 500_000);

	beforeAll(async () => {
		place = await OnboardedHost.open();
	});

	afterAll(() => place?.close());

	it('has run a successful execution for every message after its restart', async () => {
		const { host, wallet, gateway, credentialId } = place;
		const mailId = await host.createWorkflow(onMail(credentialId, 1));
		await host.publish(mailId);
		for (let index = 1; index <= mails; index++) {
			await wallet.sendMail(gateway, `mail-${index}`, 'work');
		}
		const successes = async (): Promise<string[]> => {
			const executions = await host.executions(mailId);
			return executions
				.filter(({ status }) => status === 'success')
				.map(({ data }) =>
					String(data.resultData.runData['Mail']?.[0]?.data?.main[0]?.[0]?.json['subject']),
				);
		};
		await host.until(async () => (await successes()).length >= 2, 'at work');
		await host.kill();
		await host.start();
		await host.untilPublished(mailId);
		await host.until(
			async () => new Set(await successes()).size >= mails,
			'done with every mail',
			300_000,
		);
		const wanted = Array.from({ length: mails }, (_, index) => `mail-${index + 1}`);
		expect([...new Set(await successes())].sort()).toEqual(wanted.sort());
	});
});
