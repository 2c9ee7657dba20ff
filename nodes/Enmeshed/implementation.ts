/**
 * Implementation of the nodes without their descriptions: a separate file of the published
 * package, which `gateway/implementation` loads on first use.
 */
export { router } from './actions/router';
export { enmeshedBackboneApiTest } from './methods/credential-test';
export * as lists from './methods/list-search';
export * as options from './methods/load-options';
export { mapAnswers } from './methods/resource-mapping';
export { servePage } from './page-trigger/serve-page';
export { startPageTrigger } from './page-trigger/start-page-trigger';
export { resumeExecution } from './waiting/resume-execution';
export { startTrigger } from './trigger/start-trigger';
