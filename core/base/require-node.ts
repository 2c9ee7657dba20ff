/**
 * Refuses an older Node, which would fail on `node:sqlite` without saying why. The core imports
 * this module first. It stands alone, because imports run before the lines of the module that has
 * them.
 */
const neededMajor = 22;
const neededMinor = 19;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isOlder = major < neededMajor || (major === neededMajor && minor < neededMinor);

if (isOlder) {
	throw new Error(
		`n8n-nodes-enmeshed needs Node ${neededMajor}.${neededMinor} or later; this is Node ${process.versions.node}.`,
	);
}
