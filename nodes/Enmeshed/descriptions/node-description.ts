/** What the node and its trigger are for. */
export const nodeDescription =
	"Connect with people's enmeshed wallets and exchange attributes and messages";
