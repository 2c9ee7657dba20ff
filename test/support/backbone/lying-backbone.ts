import { HttpBackbone, type HttpBackboneOptions } from '../../../core/backbone/http/http-backbone';
import type { Backbone } from '../../../core/backbone/port/backbone';
import { watchBackbone } from './watched-backbone';

/** What is made of an answer of the Backbone, by the name of the call. */
export type Lies = Record<string, ((answer: never) => unknown) | undefined>;

/**
 * Opens a Backbone whose answers come out as the lies say, also after the first look at their form;
 * they can be changed at any time.
 */
export function openLyingBackbone(lies: Lies): (options: HttpBackboneOptions) => Backbone {
	return (options) =>
		watchBackbone(HttpBackbone.open(options), async (name, call) => {
			const answer = await call();
			const lie = lies[name];
			return lie === undefined ? answer : lie(answer as never);
		});
}
