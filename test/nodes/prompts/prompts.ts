/** Task in plain words, as a person says it to an agent that builds workflows. */
export interface Prompt {
	readonly task: string;
	/** `resource.operation` */
	readonly wanted: readonly string[];
}

/** Tasks of people who have never heard of enmeshed. */
export const prompts: readonly Prompt[] = [
	{
		task: 'Create a QR code that people scan to connect with us',
		wanted: ['relationshipTemplate.create'],
	},
	{
		task: 'Show a visitor a page with a QR code and wait for the answer',
		wanted: ['relationshipTemplate.sendAndWait'],
	},
	{
		task: 'Print letters with a QR code for every row of my table',
		wanted: ['relationshipTemplate.createLetters'],
	},
	{ task: 'Draw a sheet of labels with codes', wanted: ['relationshipTemplate.createLetters'] },
	{
		task: 'List the people who have not answered our letter yet',
		wanted: ['relationshipTemplate.getUnanswered'],
	},
	{ task: 'Accept the person who wants to connect', wanted: ['relationship.accept'] },
	{ task: 'Reject the person who wants to connect', wanted: ['relationship.reject'] },
	{ task: 'End the relationship with a person who leaves', wanted: ['relationship.end'] },
	{ task: 'Reactivate a relationship that was terminated', wanted: ['relationship.reactivate'] },
	{ task: 'Send a mail to a connected person', wanted: ['message.sendMail'] },
	{ task: 'Send a mail and wait for the reply', wanted: ['message.sendAndWait'] },
	{ task: 'Send a request for the email address without waiting', wanted: ['message.sendRequest'] },
	{ task: 'Show a push notification on the phone', wanted: ['message.sendNotification'] },
	{ task: 'Download the attachment of a message', wanted: ['message.downloadAttachment'] },
	{
		task: 'Ask a connected person for an approval and wait for the response',
		wanted: ['outgoingRequest.sendAndWait'],
	},
	{
		task: 'Ask three people and go on when the majority has approved',
		wanted: ['outgoingRequest.sendAndWait'],
	},
	{ task: 'Find a contact by the customer number', wanted: ['contact.find'] },
	{ task: 'Get all contacts that are connected', wanted: ['contact.getAll'] },
	{
		task: 'Show the history of a contact, with all mails and requests',
		wanted: ['contact.getHistory'],
	},
	{ task: 'Export all data of a contact for a GDPR request', wanted: ['contact.export'] },
	{ task: 'Erase the data of a contact who has left', wanted: ['contact.erase'] },
	{
		task: 'Accept an incoming request of another organisation',
		wanted: ['incomingRequest.accept'],
	},
	{ task: 'Reject an incoming request', wanted: ['incomingRequest.reject'] },
	{
		task: 'Create an attribute with the name of our organisation',
		wanted: ['attribute.create', 'attribute.upsert'],
	},
	{ task: 'Update an attribute and notify the people who have it', wanted: ['attribute.update'] },
	{ task: 'Upload a file', wanted: ['file.upload'] },
	{ task: 'Download a file', wanted: ['file.download'] },
	{
		task: 'Load the link or QR code of another organisation',
		wanted: ['account.loadFromReference'],
	},
	{ task: 'List problems of the account and retry them', wanted: ['account.getProblems'] },
	{ task: 'Delete the identity of this account', wanted: ['account.deleteIdentity'] },
];
