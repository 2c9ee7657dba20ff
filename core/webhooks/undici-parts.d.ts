/* See the file of this name in core/backbone: the other parts that are used stand there. */

declare module 'undici/lib/dispatcher/agent.js' {
	import { Agent } from 'undici';
	export default Agent;
}
