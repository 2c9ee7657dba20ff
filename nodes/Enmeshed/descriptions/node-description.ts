/** What the node and its trigger are for. */
export const nodeDescription =
	"Connect with people's enmeshed wallets and exchange attributes and messages";

/** For n8n's workflow builder and its search: when to choose the node, in the words of a task. */
export const searchHint =
	'Use to reach a person by the wallet app on the phone: show a QR code to connect, ask for name, email address or consent, wait for an approval by one person or several, send mails, files, certificates and letters with codes, log in on a page, find a contact. Start with the Enmeshed Trigger to react to answers, mails and new people.';
