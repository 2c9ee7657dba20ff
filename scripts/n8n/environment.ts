import { createRequire } from 'node:module';
import { join } from 'node:path';

import { chosenN8n, hostFolder, type N8nKind } from './host-folder.cjs';

export const owner = { email: 'owner@example.com', password: 'Owner-1234' };

/** Differences between the versions that matter to their clients and environment. */
const traits = {
	newest: {
		disabledModules: 'mcp-registry,instance-ai',
		/** triggers of a published workflow start after the answer, and their state can be asked */
		publishesLater: true,
		/** a node can fail after it has waited: 2.27 and later */
		failsAfterWait: true,
	},
	oldest: {
		disabledModules: 'instance-ai',
		publishesLater: false,
		failsAfterWait: false,
	},
};

export const n8nTraits = (): (typeof traits)[N8nKind] => traits[chosenN8n().kind];

export function hashOwnerPassword(): string {
	const fromHost = createRequire(join(hostFolder(), 'package.json'));
	const bcrypt = fromHost('bcryptjs') as { hashSync(text: string, rounds: number): string };
	return bcrypt.hashSync(owner.password, 10);
}

export interface N8nPlace {
	/** folder that contains `.n8n` */
	readonly home: string;
	readonly port: number;
	/** unique among the n8n processes of a machine */
	readonly brokerPort: number;
	readonly passwordHash: string;
	/** additional variables, for example for queue mode */
	readonly environment?: NodeJS.ProcessEnv;
}

/** Environment for n8n: loopback only, no external calls, a preconfigured owner. */
export function n8nEnvironment(place: N8nPlace): NodeJS.ProcessEnv {
	// Variables of jest would make n8n behave as if it were under test.
	const {
		NODE_ENV: _env,
		JEST_WORKER_ID: _worker,
		NODE_OPTIONS: _options,
		...machine
	} = process.env;
	return {
		...machine,
		N8N_USER_FOLDER: place.home,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(place.port),
		N8N_PROTOCOL: 'http',
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(place.brokerPort),
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		N8N_DIAGNOSTICS_CONFIG_FRONTEND: '',
		N8N_DIAGNOSTICS_CONFIG_BACKEND: '',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		// With its assistant n8n opens an advertisement for it instead of the list of workflows. n8n
		// does not start with a module that it does not know.
		N8N_DISABLED_MODULES: n8nTraits().disabledModules,
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		GENERIC_TIMEZONE: 'Europe/Berlin',
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: owner.email,
		N8N_INSTANCE_OWNER_FIRST_NAME: 'Olivia',
		N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
		N8N_INSTANCE_OWNER_PASSWORD_HASH: place.passwordHash,
		...place.environment,
	};
}
