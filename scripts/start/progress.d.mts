export class Progress {
	constructor(steps: Readonly<Record<string, number>>, say?: (line: string) => void);
	run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
	end(): void;
}
