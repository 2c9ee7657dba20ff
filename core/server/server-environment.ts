import type { HttpBindings } from '@hono/node-server';
import type { AuditTrace } from './audit/audit-trace';
import type { HeldRoles } from './authentication/roles';
import type { Json } from '../model/json';

/** Request-scoped values of the application. */
export interface ServerEnvironment {
	Bindings: HttpBindings & {
		/** roles of the person who is signed in on the page for operators; absent for programs */
		readonly roles?: HeldRoles | undefined;
	};
	Variables: {
		correlationId: string;
		/** parsed JSON or form body; an empty object without a body */
		body: Json;
		roles: HeldRoles;
		/** noun of the route's record, for the message about a missing one */
		record: string | undefined;
		/** code of the error that is answered */
		errorCode: string | undefined;
		/** what the audit learns about the call; absent without audit */
		audit: AuditTrace | undefined;
		/** true if the answer is sent while it is read */
		isStreamed: boolean | undefined;
	};
}
