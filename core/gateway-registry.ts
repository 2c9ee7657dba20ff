import { createHash } from 'node:crypto';
import type { Cancellable } from './base/abort';
import type { Logger } from './base/logger';
import type { GatewayFacade } from './facade';
import { Gateway } from './gateway';
import { parseGatewayConfig, type GatewayConfig, type GatewayConfigInput } from './gateway-config';
import { accountKey } from './store/open-store';

/** How long a gateway that nobody uses stays open: n8n opens and closes nodes all day. */
const idleMs = 5 * 60_000;

/** The right to use an open gateway; giving it back twice does no harm. */
export interface GatewayLease {
	readonly gateway: GatewayFacade;
	release(): void;
}

export interface AcquireOptions extends Cancellable {
	readonly logger: Logger;
}

interface Entry {
	readonly opening: Promise<Gateway>;
	fingerprint: string;
	leases: number;
	idleTimer: NodeJS.Timeout | undefined;
}

/**
 * The open gateways of this process, by store and account. It lives on `globalThis` under a versioned
 * key because the host loads our modules again while triggers of the old ones still run
 * (docs/adr/0008); the number changes whenever entry or facade change incompatibly.
 */
const registryKey = Symbol.for('n8n-nodes-enmeshed.gateways.v1');

function registry(): Map<string, Entry> {
	const holder = globalThis as { [registryKey]?: Map<string, Entry> };
	return (holder[registryKey] ??= new Map<string, Entry>());
}

/**
 * Opens the account's gateway or joins the open one. A changed configuration of the same account
 * (another client secret, say) is proven and taken over by the open gateway; a second one is never
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
		// The promise is stored before opening starts, so that two first callers share one gateway.
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

/** Closes what is open, for the end of the process and for tests. */
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
		// The first caller's signal must not take the gateway away from those who joined.
		return await Gateway.open(config, { logger: options.logger });
	} catch (error) {
		registry().delete(key);
		throw error;
	}
}

function scheduleClose(key: string, entry: Entry): void {
	entry.idleTimer = setTimeout(() => {
		if (entry.leases > 0) return;
		if (registry().get(key) === entry) registry().delete(key);
		entry.opening.then((gateway) => gateway.close()).catch(() => undefined);
	}, idleMs);
	entry.idleTimer.unref();
}

/** Recognises a changed configuration without keeping secrets around in clear. */
function fingerprintOf(config: GatewayConfig): string {
	return createHash('sha256').update(JSON.stringify(config)).digest('base64url');
}
