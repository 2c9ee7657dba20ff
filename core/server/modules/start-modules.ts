import { CloseStack } from '../../base/close-stack';
import { isGatewayError } from '../../base/errors';
import { runBrokers } from '../../brokers';
import { openWebhooks } from '../../webhooks';
import type { ModulesConfig } from '../config/modules-config';
import { serverErrors } from '../server-errors';
import { acceptRelationships } from './accept-relationships';
import { decomposeRelationships } from './decompose-relationships';
import { keepInStep } from './keep-in-step';
import type { Module, ModuleContext, RunningModule } from './module';

interface WantedModule {
	/** as in the settings */
	readonly name: string;
	start(context: ModuleContext): RunningModule | Promise<RunningModule>;
}

/**
 * Every module that `serve` can run, in the order in which they start: those that read events before
 * those that cause some (docs/protocol/http-api.md 13).
 */
function wantedModules(modules: ModulesConfig): readonly WantedModule[] {
	const { sync, sse, webhooks, messageBrokerPublisher } = modules;
	const { autoAcceptPendingRelationships, autoDecomposeDeletionProposedRelationships } = modules;
	return [
		...wanted('webhooks', openWebhooks, webhooks),
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
		...wanted('sync', keepInStep, { enabled: sync.enabled || sse.enabled, sync, sse }),
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
 * Starts what the settings ask for, one after the other, on an open gateway. Closing what is answered
 * closes the modules in reverse order; it must be done before the gateway is closed.
 *
 * @throws `error.gateway.modules.cannotStart` with the name of the module, or the code that the module
 * gave; those that had started are closed then
 */
export async function startModules(
	{ facade, logger }: Omit<ModuleContext, 'signal'>,
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
			const module = await start({ facade, logger: log, signal: stop.signal });
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

function cannotStart(module: string, cause: unknown): Error {
	return serverErrors.create('moduleCannotStart', {
		message: `The module '${module}' cannot start: ${String(cause)}.`,
		facts: { module },
		cause,
	});
}
