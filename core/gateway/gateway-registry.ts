import { createHash } from 'node:crypto';
import type { Cancellable } from '../base/abort';
import type { Logger } from '../base/logger';
import type { GatewayFacade } from '../facade/gateway-facade';
import { Gateway } from './gateway';
import { parseGatewayConfig, type GatewayConfig, type GatewayConfigInput } from '../config';
import { accountKey } from '../store/open-store';

/** Time for which an unused gateway stays open, because n8n opens and closes nodes all day. */
const idleMs = 5 * 60_000;

/** Right to use an open gateway. Repeated releases have no effect. */
export interface GatewayLease {
	/** use cases of the shared gateway, usable until the release */
	readonly gateway: GatewayFacade;
	/** Gives the right back; an unused gateway closes after five minutes. */
	release(): void;
}

/** Options of {@link acquireGateway}. */
export interface AcquireOptions extends Cancellable {
	/** receives what the gateway reports, if this call opens it */
	readonly logger: Logger;
}

interface Entry {
	readonly opening: Promise<Gateway>;
	fingerprint: string;
	leases: number;
	idleTimer: NodeJS.Timeout | undefined;
}

/**
 * Open gateways of this process, by store and account. The map is a member of `globalThis` under a
 * versioned key, because the host loads this package again while triggers of the previous copy are
 * still running (docs/adr/0008). The number changes with every incompatible change of entry or
 * facade.
 */
const registryKey = Symbol.for('n8n-nodes-enmeshed.gateways.v2');

function registry(): Map<string, Entry> {
	const holder: typeof globalThis & { [registryKey]?: Map<string, Entry> } = globalThis;
	return (holder[registryKey] ??= new Map<string, Entry>());
}

/**
 * Opens the account's gateway or joins the open one. The open gateway verifies and adopts a changed
 * configuration of the same account, such as another client secret; a second gateway is never
 * opened.
 *
 * @throws the codes of `Gateway.open`
 */
export async function acquireGateway(
	input: GatewayConfigInput,
	options: AcquireOptions,
): Promise<GatewayLease> {
	const config = parseGatewayConfig(input);
	const key = accountKey(config);
	const entries = registry();
	const fingerprint = fingerprintOf(config);
	let entry = entries.get(key);
	if (entry === undefined) {
		// Stores the promise before opening begins, so that two first callers share one gateway.
		entry = {
			opening: openGateway(key, config, options),
			fingerprint,
			leases: 0,
			idleTimer: undefined,
		};
		entries.set(key, entry);
	}
	entry.leases++;
	clearTimeout(entry.idleTimer);
	const held = entry;
	let released = false;
	const release = (): void => {
		if (released) return;
		released = true;
		held.leases--;
		if (held.leases === 0) scheduleClose(key, held);
	};
	try {
		const gateway = await held.opening;
		options.signal?.throwIfAborted();
		if (held.fingerprint !== fingerprint) {
			await gateway.reconfigure(config, options);
			held.fingerprint = fingerprint;
		}
		return { gateway, release };
	} catch (error) {
		release();
		throw error;
	}
}

/** Closes all open gateways, for the end of the process and for tests. */
export async function closeAllGateways(): Promise<void> {
	const entries = registry();
	const open = [...entries.values()];
	entries.clear();
	await Promise.allSettled(
		open.map(async (entry) => {
			clearTimeout(entry.idleTimer);
			await (await entry.opening).close();
		}),
	);
}

async function openGateway(
	key: string,
	config: GatewayConfig,
	options: AcquireOptions,
): Promise<Gateway> {
	try {
		// Passes no signal on: the first caller must not abort the gateway of the callers that joined.
		const gateway = await Gateway.open(config, { logger: options.logger });
		gateway.waits.keepResuming();
		return gateway;
	} catch (error) {
		registry().delete(key);
		throw error;
	}
}

function scheduleClose(key: string, entry: Entry): void {
	entry.idleTimer = setTimeout(() => {
		closeUnused(key, entry).catch(() => undefined);
	}, idleMs);
	entry.idleTimer.unref();
}

/**
 * Closes a gateway without leases, unless an execution waits for an answer that it has to fetch.
 */
async function closeUnused(key: string, entry: Entry): Promise<void> {
	const gateway = await entry.opening;
	const isAwaited = (await gateway.waits.list().catch(() => [])).length > 0;
	if (entry.leases > 0) return;
	if (isAwaited) return scheduleClose(key, entry);
	if (registry().get(key) === entry) registry().delete(key);
	await gateway.close();
}

/** Detects a changed configuration without keeping its secrets in clear text. */
function fingerprintOf(config: GatewayConfig): string {
	return createHash('sha256').update(JSON.stringify(config)).digest('base64url');
}
