import { createLogger, Gateway, type GatewayConfigInput } from '../../../core';
import { modulesSchema } from '../../../core/server/config/modules-config';
import { startModules } from '../../../core/server';

/* A gateway with its modules in a process of its own, which the test kills. */
interface Task {
	readonly config: GatewayConfigInput;
	readonly modules: unknown;
	/** own attributes to create: an event each */
	readonly creates: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;

async function main(): Promise<void> {
	const gateway = await Gateway.open(task.config);
	await startModules(
		{ facade: gateway, logger: createLogger(console) },
		modulesSchema.parse(task.modules),
	);
	for (let number = 1; number <= task.creates; number++) {
		await gateway.attributes.create({
			content: { value: { '@type': 'DisplayName', value: `name ${number}` } },
		});
	}
	// The process that started this one ends it.
	setInterval(() => undefined, 60_000);
}

main().catch((error: unknown) => {
	process.stderr.write(String((error as { code?: unknown }).code ?? error));
	process.exitCode = 1;
});
