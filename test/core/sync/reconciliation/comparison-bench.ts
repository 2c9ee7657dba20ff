import type { FileRecord } from '../../../../core/model/record/file';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import type { InboxEvent } from '../../../../core/model/record/sync';
import type { HttpBackbone } from '../../../../core/backbone/http/http-backbone';
import type { Store } from '../../../../core/store/store';
import { TestClock } from '../../../support/clock';
import { fileRecord, templateRecord } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';
import { address, FixtureServer, type Responder } from '../../backbone/fixture-server';

export { address } from '../../backbone/fixture-server';

export const otherAddress = 'did:e:localhost:dids:3a29ae5c1f591bbd9a2aaa';

/** A store, and a Backbone whose answers the test decides: what a comparison works with. */
export class ComparisonBench {
	readonly clock = new TestClock();

	private constructor(
		readonly store: Store,
		readonly server: FixtureServer,
		readonly backbone: HttpBackbone,
	) {}

	static async open(routes: Readonly<Record<string, Responder>>): Promise<ComparisonBench> {
		const server = await FixtureServer.open(routes);
		return new ComparisonBench(await openMemoryStore(), server, server.connect());
	}

	/** Time of the comparison. */
	get now(): string {
		return new Date(this.clock.now()).toISOString();
	}

	/** The identity of this account, `address`. */
	async addIdentity(): Promise<void> {
		const record = {
			id: 'self',
			state: 'ready',
			address,
			publicKey: 'key',
			backboneBaseUrl: this.server.baseUrl,
			createdAt: this.now,
		} as const;
		const secrets = {
			identityPrivateKey: 'a',
			devicePrivateKey: 'b',
			devicePublicKey: 'c',
			devicePassword: 'd',
		};
		await this.store.transact((tx) => tx.identity.insert(record, secrets));
	}

	async addFiles(...files: readonly FileRecord[]): Promise<void> {
		await this.store.transact(async (tx) => {
			for (const file of files) await tx.files.insert(file, { secretKey: 'k', contentKey: 'k' });
		});
	}

	async addRelationships(...relationships: readonly RelationshipRecord[]): Promise<void> {
		await this.store.transact(async (tx) => {
			for (const record of relationships)
				await tx.relationships.insert(record, { template: { secretKey: 'A'.repeat(43) } });
		});
	}

	async close(): Promise<void> {
		await this.store.close();
		await this.server.close();
	}
}

/** An event in place of a lost one, as the inbox stores it. */
export const recovered = (parts: Pick<InboxEvent, 'id' | 'type' | 'payload' | 'createdAt'>) => ({
	runId: 'reconciliation',
	index: -1,
	state: 'pending',
	attempts: 0,
	...parts,
});

/** A file of this account that is still in use. */
export const ownFile = (id: string, parts: Partial<FileRecord> = {}): FileRecord =>
	fileRecord(id, { owner: address, createdBy: address, ...parts });

export const relationshipRecord = (
	id: string,
	parts: Partial<RelationshipRecord> = {},
): RelationshipRecord => ({
	id,
	status: 'Active',
	peer: otherAddress,
	peerPublicKey: 'A'.repeat(43),
	createdByUs: false,
	templateId: 'RLT1',
	template: templateRecord('RLT1'),
	creationContent: {},
	auditLog: [],
	createdAt: '2029-12-01T00:00:00.000Z',
	...parts,
});
