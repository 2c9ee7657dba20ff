import type { HttpBindings } from '@hono/node-server';
import type { Json } from '../model/json';

/** What is known about a request while it is answered. */
export interface ServerEnvironment {
	Bindings: HttpBindings;
	Variables: {
		correlationId: string;
		/** of a JSON or form body; an empty object without one */
		body: Json;
		roles: readonly string[];
		/** what the route is about, for the text of a missing record */
		record: string | undefined;
	};
}
