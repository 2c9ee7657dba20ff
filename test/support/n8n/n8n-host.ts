/** Tests run the n8n that `npm start` runs, each in a home of its own. */
export { N8nHost } from '../../../scripts/n8n/n8n-host';
export type { Execution, ExecutionItem, Workflow } from '../../../scripts/n8n/n8n-api';
