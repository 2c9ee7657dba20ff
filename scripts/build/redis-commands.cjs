/** Replaces the table of all four hundred commands by the commands in use. */
const only = (command) => command.default;

exports.__esModule = true;
exports.default = {
	AUTH: only(require('@redis/client/dist/lib/commands/AUTH')),
	CLIENT_SETNAME: only(require('@redis/client/dist/lib/commands/CLIENT_SETNAME')),
	publish: only(require('@redis/client/dist/lib/commands/PUBLISH')),
	READONLY: only(require('@redis/client/dist/lib/commands/READONLY')),
};
exports.NON_STICKY_COMMANDS = exports.default;
