import { CloseStack } from '../../base/close-stack';
import { isGatewayError } from '../../base/errors';
import { runBrokers } from '../../publish/brokers';
import { openWebhooks } from '../../publish/webhooks';
import type { ModulesConfig } from '../config/modules-config';
import { serverErrors } from '../server-errors';
import { auditRetention } from './audit-retention';
import { decomposeRelationships } from './decompose-relationships';
import { syncModule } from './sync-module';
import type { Module, ModuleDependencies, RunningModule } from './module';
import { problemLog } from './problem-log';

interface WantedModule {
	/** name in the settings */
	readonly name: string;
	start(context: ModuleDependencies): RunningModule | Promise<RunningModule>;
}

/**
 * Every module that `serve` can run, in starting order: consumers of events before modules that
 * cause events (docs/protocol/http-api.md 13).
 */
function wantedModules(modules: ModulesConfig): readonly WantedModule[] {
	const { sync, sse, webhooks, registeredWebhooks, messageBrokerPublisher } = modules;
	const { audit } = modules;
	const { autoAcceptPendingRelationships, autoDecomposeDeletionProposedRelationships } = modules;
	return [
		// Also without new rows: what was written ends at its time.
		...wanted('audit', auditRetention, { ...audit, enabled: true }),
		...wanted('webhooks', openWebhooks, webhooks),
		...wanted('registeredWebhooks', deliverRegistered, registeredWebhooks),
		...wanted('messageBrokerPublisher', runBrokers, messageBrokerPublisher),
		...wanted(
			'autoAcceptPendingRelationships',
			acceptRelationships,
			autoAcceptPendingRelationships,
		),
		...wanted(
			'autoDecomposeDeletionProposedRelationships',
			decomposeRelationships,
			autoDecomposeDeletionProposedRelationships,
		),
		...wanted('sync', syncModule, { enabled: sync.enabled || sse.enabled, sync, sse }),
	];
}

function wanted<Settings extends { readonly enabled: boolean }>(
	name: string,
	module: Module<Settings>,
	settings: Settings,
): readonly WantedModule[] {
	return settings.enabled ? [{ name, start: (context) => module(context, settings) }] : [];
}

/**
 * Starts the configured modules one after the other on an open gateway. The result closes them in
 * reverse order and must be closed before the gateway.
 *
 * @throws `error.gateway.modules.cannotStart` with the name of the module, or the code that the
 * module threw; modules that had started are closed first
 */
export async function startModules(
	{ facade, logger, eventVersion }: Omit<ModuleDependencies, 'signal'>,
	modules: ModulesConfig,
): Promise<{ close(): Promise<void> }> {
	const stop = new AbortController();
	const running = new CloseStack(logger);
	const close = async (): Promise<void> => {
		stop.abort(new DOMException('The gateway closes.', 'AbortError'));
		await running.close();
	};
	for (const { name, start } of wantedModules(modules)) {
		try {
			const log = logger.child(name);
			const module = await start({ facade, logger: log, eventVersion, signal: stop.signal });
			running.add(name, () => module.close());
		} catch (error) {
			logger.error('a module cannot start', { module: name });
			await close();
			throw isGatewayError(error) ? error : cannotStart(name, error);
		}
	}
	try {
		await facade.events.announceModulesStarted({ signal: stop.signal });
	} catch (error) {
		await close();
		throw error;
	}
	return { close };
}

/** `modules.autoAcceptPendingRelationships` (docs/protocol/http-api.md 13). */
const acceptRelationships: Module<unknown> = ({ facade, logger }) => {
	const held = facade.events.autoAccept({ onProblem: problemLog(logger) });
	return { close: () => held.release() };
};

/** `modules.registeredWebhooks`: webhooks that clients register over HTTP. */
const deliverRegistered: Module<ModulesConfig['registeredWebhooks']> = ({ facade }, { retry }) => {
	const held = facade.webhooks.keepDelivering({ retry });
	return { close: () => held.release() };
};

function cannotStart(module: string, cause: unknown): Error {
	return serverErrors.create('moduleCannotStart', {
		message: `The module '${module}' cannot start: ${String(cause)}.`,
		facts: { module },
		cause,
	});
}
