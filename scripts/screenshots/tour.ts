import type { Demo } from '../start/demo';
import type { Editor } from './editor';
import type { Wallet } from './wallet';

/** A running demo, and two tabs of a browser that is signed in. */
export interface Tour {
	readonly demo: Demo;
	readonly editor: Editor;
	readonly wallet: Wallet;
}
