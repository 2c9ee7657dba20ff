import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Gateway } from '../../core';
import type { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import {
	placeInPostgres,
	placeInSqlite,
	type Place,
} from '../../test/support/accounts/account-places';
import { inOneHour, relate, SandboxNetwork } from '../../test/support/gateways';
import { Peer, type Generation } from '../../test/support/peer/peer';
import { TestDatabase } from '../../test/support/postgres/postgres';
import { bundleProgram } from '../harness/bundle';
import { Dice } from '../harness/dice';
import { Account, chaosTimings } from './account';

/** Inside of the project, so that the bundled programs find its packages. */
const programs = join(__dirname, '..', '..', '.tmp', 'chaos');

export type StoreKind = 'sqlite' | 'postgres';

/**
 * Participants of a run: a sandbox Backbone, two accounts of this project and an official runtime,
 * all with relationships to each other.
 */
export class World {
	private readonly gateways = new Map<Account, Gateway>();

	/** recipients of mails confirmed by the official runtime, by subject */
	readonly officialSends = new Map<string, string>();

	private readonly copies: TestDatabase[] = [];

	private readonly counts: Record<string, number> = {};

	private isKept = false;

	/** errors outside the accounts */
	readonly complaints: string[] = [];

	private constructor(
		readonly network: SandboxNetwork,
		private readonly database: TestDatabase | undefined,
		readonly accounts: [Account, Account],
		readonly official: Peer | undefined,
		private readonly scratch: string,
		/** random choices of the run */
		readonly dice: Dice,
	) {}

	static async open({
		seed,
		store,
		processesPerAccount,
		official: generation,
	}: {
		readonly seed: number;
		readonly store: StoreKind;
		readonly processesPerAccount: number;
		/** generation of the participating official runtime; absent: none */
		readonly official?: Generation;
	}): Promise<World> {
		const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-chaos-'));
		const worker = join(__dirname, 'worker.ts');
		const outdir = join(programs, basename(scratch));
		const program = processesPerAccount > 0 ? bundleProgram(worker, outdir) : '';
		const network = await SandboxNetwork.open({
			behaviour: 'real',
			seed,
			maxUnreceivedMessages: 1_000_000,
		});
		const database = store === 'postgres' ? await TestDatabase.create() : undefined;
		const dice = new Dice(seed);
		const accountIn = (name: 'a' | 'b'): Account => {
			const place = newPlace(network, database);
			const config = { ...network.config(), ...place.config };
			return new Account(name, place, config, dice, program, processesPerAccount);
		};
		const { baseUrl } = network.backbone;
		const official = generation && (await Peer.start(generation, { baseUrl }));
		const accounts: [Account, Account] = [accountIn('a'), accountIn('b')];
		const world = new World(network, database, accounts, official, scratch, dice);
		try {
			await world.relateAll();
			return world;
		} catch (error) {
			await world.close();
			throw error;
		}
	}

	get backbone(): SandboxBackbone {
		return this.network.backbone;
	}

	/** What has happened so far, by name. */
	get figures(): Readonly<Record<string, number>> {
		const { faults, state } = this.backbone;
		return { ...this.counts, faults: faults.taken, messages: state.messages.size };
	}

	count(what: string, by = 1): void {
		this.counts[what] = (this.counts[what] ?? 0) + by;
	}

	readonly peerOf = (account: Account): Account =>
		account === this.accounts[0] ? this.accounts[1] : this.accounts[0];

	/** Gateway of the account in this process, in addition to its own processes. */
	async observer(account: Account): Promise<Gateway> {
		const known = this.gateways.get(account);
		if (known !== undefined) return known;
		const gateway = await this.network.gateway(account.config, { timings: chaosTimings });
		this.gateways.set(account, gateway);
		return gateway;
	}

	async closeObservers(): Promise<void> {
		for (const gateway of this.gateways.values()) await gateway.close();
		this.gateways.clear();
	}

	/** Copies the store of an account that no process has open. */
	async copyOf({ place }: Account): Promise<Place> {
		const { account, store } = place.config;
		if (store?.kind === 'postgres') {
			const copy = await TestDatabase.create(`template ${store.database}`);
			this.copies.push(copy);
			return placeInPostgres(copy, copy.account(account));
		}
		const folder = this.network.newFolder();
		cpSync(store?.folder ?? '', folder, { recursive: true });
		return placeInSqlite(folder);
	}

	/** Lets a copy take the place of an account. */
	replace(account: Account, place: Place): Account {
		const copy = account.at(place);
		this.accounts[account === this.accounts[0] ? 0 : 1] = copy;
		return copy;
	}

	/** Ends the accounts' connections to their database; does nothing with SQLite. */
	async cutStoreConnections(): Promise<number> {
		const ended = await this.database?.query(
			`select pg_terminate_backend(pid) from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid()
				order by random() limit 2`,
		);
		return ended?.length ?? 0;
	}

	/**
	 * Writes the evidence to a folder for a person to examine, with the stores of SQLite; a database
	 * ends with its server. Returns the folder.
	 */
	keep(evidence: object): string {
		this.isKept = true;
		writeFileSync(join(this.scratch, 'evidence.json'), JSON.stringify(evidence, withMembers, '\t'));
		for (const { name, config } of this.accounts) {
			if (config.store?.kind !== 'sqlite' || config.store.folder === undefined) continue;
			cpSync(config.store.folder, join(this.scratch, name), { recursive: true });
		}
		return this.scratch;
	}

	async close(): Promise<void> {
		const processes = this.accounts.flatMap((account) => account.processes);
		await Promise.all(processes.map((process) => process.kill()));
		await this.official?.stop();
		await this.network.close();
		for (const copy of this.copies) await copy.drop();
		await this.database?.drop();
		rmSync(join(programs, basename(this.scratch)), { recursive: true, force: true });
		if (!this.isKept) rmSync(this.scratch, { recursive: true, force: true });
	}

	private async relateAll(): Promise<void> {
		const [a, b] = this.accounts;
		const [ofA, ofB] = [await this.observer(a), await this.observer(b)];
		({ addressA: a.address, addressB: b.address } = await relate(ofA, ofB));
		if (this.official !== undefined) {
			for (const gateway of [ofA, ofB]) await this.relateToOfficial(gateway, this.official);
		}
		await this.closeObservers();
	}

	private async relateToOfficial(gateway: Gateway, official: Peer): Promise<void> {
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const loaded = await official.loadTemplate(template.truncatedReference);
		const { id } = await official.createRelationship(loaded.id, 2);
		await this.network.settle(gateway);
		await gateway.relationships.accept(id);
		await this.network.settleParties([official.syncing]);
	}
}

/** Converts maps and sets to lists, because JSON would drop their members. */
function withMembers(_name: string, value: unknown): unknown {
	return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;
}

function newPlace(network: SandboxNetwork, database: TestDatabase | undefined): Place {
	return database === undefined ? placeInSqlite(network.newFolder()) : placeInPostgres(database);
}
