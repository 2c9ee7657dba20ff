import type { Backbone } from '../../../core/backbone/port/backbone';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { Gateway } from '../../../core/gateway/gateway';
import { SqliteStore } from '../../../core/store/sqlite/sqlite-store';
import { watchBackbone } from '../../support/backbone/watched-backbone';

/*
 * One operation in a process of its own that dies at a chosen point. Points are the moments before
 * and after every Backbone call and every store commit, counted from the operation's begin.
 */
export type RelationshipOperation =
	'terminate' | 'requestReactivation' | 'acceptReactivation' | 'decompose';

type ObjectOperation = 'template' | 'claimFile' | 'renewFile' | 'deleteFile' | 'deleteToken';

type DeletionOperation = 'initiate' | 'cancel';

type RequestOperation = 'decide' | 'ask';

export type Operation =
	| 'open'
	| 'send'
	| 'sync'
	| 'reconcile'
	| 'create'
	| 'accept'
	| RelationshipOperation
	| ObjectOperation
	| DeletionOperation
	| RequestOperation
	| 'erase';

export interface Task {
	readonly baseUrl: string;
	readonly folder: string;
	readonly operation: Operation;
	/** 0: never */
	readonly killAt: number;
	readonly argument: string;
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;
let armed = task.operation === 'open';
let points = 0;

function point(): void {
	if (!armed) return;
	points++;
	if (points === task.killAt) process.kill(process.pid, 'SIGKILL');
}

/** Only our own process is watched: the modules run for real. */
const commit = SqliteStore.prototype.transact;
SqliteStore.prototype.transact = async function watched(this: SqliteStore, work, options) {
	point();
	const result = await commit.call(this, work, options);
	point();
	return result;
} as typeof commit;

const watch = (backbone: HttpBackbone): Backbone =>
	watchBackbone(backbone, async (_name, call) => {
		point();
		const result = await call();
		point();
		return result;
	});

async function run(gateway: Gateway): Promise<unknown> {
	switch (task.operation) {
		case 'open':
			return (await gateway.account.getIdentity()).address;
		case 'template':
			return await gateway.templates.create({
				expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
				content: { '@type': 'ArbitraryRelationshipTemplateContent', value: task.argument },
			});
		case 'send': {
			const [to = '', subject = ''] = task.argument.split(' ');
			return await gateway.messages.send(
				{ recipients: [to], content: { '@type': 'Mail', to: [to], subject, body: 'b' } },
				{ idempotencyKey: subject },
			);
		}
		case 'create':
			return await gateway.relationships.create({
				templateId: task.argument,
				creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 2 },
			});
		case 'decide':
			return await gateway.incomingRequests.accept(task.argument, { items: [{ accept: true }] });
		case 'ask': {
			const { content, peer } = await gateway.outgoingRequests.get(task.argument);
			return await gateway.messages.send({ recipients: [peer], content });
		}
		case 'initiate':
		case 'cancel':
			return await gateway.identityDeletion[task.operation]();
		case 'sync':
			return await gateway.account.sync();
		case 'reconcile':
			return await gateway.account.reconcile();
		case 'claimFile': {
			const [id = '', ownershipToken = ''] = task.argument.split(' ');
			return await gateway.files.claimOwnership(id, ownershipToken);
		}
		case 'erase':
			return await gateway.contacts.erase(task.argument, { decomposeIfEnded: true });
		case 'renewFile':
			return await gateway.files.regenerateOwnershipToken(task.argument);
		case 'deleteFile':
			return await gateway.files.delete(task.argument);
		case 'deleteToken':
			return await gateway.tokens.delete(task.argument);
		default:
			return await gateway.relationships[task.operation](task.argument);
	}
}

async function main(): Promise<void> {
	const gateway = await Gateway.open(
		{
			backbone: { baseUrl: task.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder: task.folder },
		},
		{ openBackbone: (config) => watch(HttpBackbone.open(config)) },
	);
	armed = true;
	const result = await run(gateway);
	armed = false;
	await gateway.close();
	process.stdout.write(JSON.stringify({ points, result }));
}

main().catch((error: unknown) => {
	process.stderr.write(String((error as { code?: unknown }).code ?? error));
	process.exitCode = 1;
});
