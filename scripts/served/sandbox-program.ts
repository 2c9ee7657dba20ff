import { Program } from './program';

/** Built sandbox Backbone in a process of its own. */
export class SandboxProgram {
	private constructor(private readonly program: Program) {}

	/** @param words additional arguments of the command */
	static async start(dist: string, words: readonly string[] = []): Promise<SandboxProgram> {
		const address = /Backbone URL\s+(http:\/\/\S+)/;
		return new SandboxProgram(await Program.start(dist, ['sandbox', ...words], address));
	}

	get url(): string {
		return this.program.address;
	}

	stop(): Promise<void> {
		return this.program.stop();
	}
}
