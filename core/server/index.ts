/** HTTP gateway, in a bundle of its own that only the command line loads. */
export { CloseStack } from '../base/close-stack';
export { AccountHost, type AccountOperations } from './accounts/account-host';
export { RunningAccount, type OpenAccount } from './accounts/hosted-account';
export { weaknessOf } from './authentication/api-keys';
export { pinCertificates } from './authentication/certificate-pinning';
export { parseHostedAccounts } from './config/accounts-config';
export { readSettings, type Settings } from './config/config-sources';
export { ignoredSettings } from './config/ignored-settings';
export { redactedSettings } from './config/redacted-settings';
export { describeService } from './config/service-description';
export { parsePostgresUrl } from './config/postgres-url';
export { parseAccountConfig, parseServerConfig, type ServerConfig } from './config/server-config';
export { logContext } from './tracing';
export { Metrics } from './metrics/metrics';
export { startModules } from './modules/start-modules';
export { withSettingNames } from './setting-words';
export { openServer, type RunningServer } from './server';
export type { BuildInfo, ServedOptions, ServerOptions } from './server-options';
