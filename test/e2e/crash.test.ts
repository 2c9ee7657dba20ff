import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { N8nHost } from '../support/n8n-host';
import { Peer } from '../support/peer';
import { makeTemplate, onboard, onMail } from './workflows';

jest.setTimeout(600_000);

const mails = 12;

describe('n8n killed while executions run', () => {
	it('has run a successful execution for every message after its restart', async () => {
		const backbone = await SandboxBackbone.open({ maxUnreceivedMessages: 1_000 });
		const host = await N8nHost.prepare();
		await host.start();
		const wallet = await Peer.start(6, { baseUrl: backbone.baseUrl });
		try {
			const credentialId = await host.createCredential({
				backboneUrl: backbone.baseUrl,
				clientId: 'test',
				clientSecret: 'test',
			});
			const makeId = await host.createWorkflow(makeTemplate(credentialId, 'crash'));
			const onboardId = await host.createWorkflow(onboard(credentialId));
			const mailId = await host.createWorkflow(onMail(credentialId, 1));
			for (const id of [makeId, onboardId, mailId]) await host.publish(id);
			const template = (await host.webhook('crash')) as { id: string; truncatedReference: string };
			const gateway = await befriend(wallet, host, template);

			for (let index = 1; index <= mails; index++) {
				await wallet.sendMail(gateway, `mail-${index}`, 'work');
			}
			await host.until(async () => (await successes(host, mailId)).length >= 2, 'at work');
			await host.kill();
			await host.start();
			await host.untilPublished(mailId);
			await host.until(
				async () => new Set(await successes(host, mailId)).size >= mails,
				'done with every mail',
				300_000,
			);
			const wanted = Array.from({ length: mails }, (_, index) => `mail-${index + 1}`);
			expect([...new Set(await successes(host, mailId))].sort()).toEqual(wanted.sort());
		} finally {
			await wallet.stop();
			await host.dispose();
			await backbone.close();
		}
	});
});

/** The wallet answers the template; the onboarding workflow accepts and welcomes it. */
async function befriend(
	wallet: Peer,
	host: N8nHost,
	template: { id: string; truncatedReference: string },
): Promise<string> {
	await wallet.loadTemplate(template.truncatedReference);
	const request = await wallet.incomingRequest(template.id);
	await wallet.acceptRequest(request.id, [
		{
			accept: true,
			newAttribute: {
				'@type': 'IdentityAttribute',
				owner: wallet.address,
				value: { '@type': 'GivenName', value: 'Ada' },
			},
		},
	]);
	let gateway = '';
	await host.until(async () => {
		await wallet.sync();
		const [welcome] = (await wallet.messages()).filter(({ isOwn }) => isOwn === false);
		gateway = String(welcome?.['createdBy'] ?? '');
		return gateway !== '';
	}, 'sending the welcome mail');
	return gateway;
}

async function successes(host: N8nHost, workflowId: string): Promise<string[]> {
	const executions = await host.executions(workflowId);
	return executions
		.filter(({ status }) => status === 'success')
		.map(({ data }) =>
			String(data.resultData.runData['Mail']?.[0]?.data?.main[0]?.[0]?.json['subject']),
		)
		.filter((subject) => subject.startsWith('mail-'));
}
