/** Addresses by what a person finds there. */
export type DemoAddresses = Readonly<Record<string, string>>;

/** Folder of the state that `npm start` keeps. */
export const demoFolder: string;

/** @throws Error if a running process uses the folder */
export function claimDemo(folder: string): Promise<{
	readonly announce: (addresses: DemoAddresses) => void;
	readonly release: () => Promise<void>;
}>;

/** Addresses of the demo that runs on this folder, empty while it starts; undefined without one. */
export function runningDemo(folder: string): Promise<DemoAddresses | undefined>;

/** What a second start tells a person. */
export function describeRunning(addresses: DemoAddresses): string;
