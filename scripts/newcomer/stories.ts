import type { Editor } from '../screenshots/editor';
import type { Wallet } from '../screenshots/wallet';
import type { PrintedAddresses } from './running-demo';
import type { Screens } from './screens';

/** A person with two tabs, one for n8n and one for the demo wallet. */
export interface Newcomer {
	readonly addresses: PrintedAddresses;
	readonly editor: Editor;
	readonly wallet: Wallet;
	readonly screens: Screens;
}

const organisation = 'Example Organisation';

/** 'Try it: the first relationship' of the README, from the sign-in to the first answer by mail. */
async function firstRelationship({ addresses, editor, wallet, screens }: Newcomer): Promise<void> {
	await editor.enterLogin(addresses.n8n, addresses.email, addresses.password);
	await screens.take(editor, 'sign-in');
	await editor.signIn();
	await screens.take(editor, 'workflows');
	await editor.openWorkflow('1. Show a QR code');
	await editor.execute(2);
	await screens.take(editor, 'executed');
	await editor.openNode('Create QR code');
	await screens.take(editor, 'output');
	await editor.copyLink();
	await screens.take(editor, 'link');
	await editor.closeNode();

	await wallet.open(addresses.wallet);
	await screens.take(wallet, 'wallet');
	await wallet.pasteCode();
	await wallet.enter('Given name', 'Ada');
	await wallet.enter('Email address', 'ada@example.com');
	await screens.take(wallet, 'request');
	await wallet.press('Share and connect');
	await wallet.show('Contacts');
	await wallet.untilShown('Connected');
	await screens.take(wallet, 'connected');

	await wallet.openMail('Welcome, Ada');
	await screens.take(wallet, 'welcome');
	await wallet.answer('When do you open?');
	await screens.take(wallet, 'reply');
	await wallet.press('Send');
	await wallet.openMail('Re: Welcome, Ada');
	await screens.take(wallet, 'answered');
	await editor.openWorkflow('2. Welcome the person');
	await editor.openExecutions();
	await screens.take(editor, 'executions');
}

/** The end of the first story: the person is a row of the table, and is found by a number. */
async function customersTable({ editor, wallet, screens }: Newcomer): Promise<void> {
	await editor.openDataTable('Customer list');
	await editor.untilShown('ada@example.com');
	await screens.take(editor, 'customer-list');

	await wallet.show('My data');
	await wallet.press('Change Given name');
	await wallet.enter('Given name', 'Ada Augusta');
	await screens.take(wallet, 'changed-name');
	await wallet.press('Save');
	await editor.openDataTable('Customer list');
	await editor.untilShown('Ada Augusta');
	await screens.take(editor, 'changed-row');

	await editor.openWorkflow('14. Look a customer up and write');
	await screens.take(editor, 'lookup-workflow');
	await editor.listen('When clicking ‘Execute workflow’');
	const number = await wallet.openRequest('Your customer number');
	await screens.take(wallet, 'customer-number');
	await wallet.press('Accept');
	await wallet.untilShown('has your answer');
	const form = await editor.executeForm('Mail to a customer');
	for (const [label, text] of [
		['Customer number', number],
		['Subject', 'We are open'],
		['Text', 'Every day from nine to five.'],
	] as const) {
		await form.getByLabel(label).click();
		await form.keyboard.type(text);
	}
	await screens.take({ page: form }, 'lookup-form');
	await form.getByRole('button', { name: 'Submit' }).click();
	await form.getByText('Sent to Ada Augusta').waitFor();
	await screens.take({ page: form }, 'lookup-sent');
	await wallet.openMail('We are open');
	await screens.take(wallet, 'lookup-mail');
}

/** 'A story without JSON' of the README, with a second person in the wallet of the first. */
async function twoPeople({ editor, wallet, screens }: Newcomer): Promise<void> {
	await editor.openWorkflow('6. Enter your name');
	await editor.execute(2);
	await screens.take(editor, 'own-name');
	await editor.openWorkflow('7. Ask new customers');
	await editor.openNode('Create QR code');
	await editor.pickOwnName(organisation);
	await screens.take(editor, 'customer-form');
	await editor.closeNode();
	await editor.execute(2);
	await editor.openNode('Create QR code');
	await editor.copyLink();
	await editor.closeNode();

	await editor.openWorkflow('8. Greet new customers');
	await editor.publish();
	await screens.take(editor, 'published');

	await wallet.addPerson('Ben');
	await screens.take(wallet, 'second-person');
	await wallet.pasteCode();
	await wallet.enter('Given name', 'Ben');
	await wallet.enter('Email address', 'ben@example.com');
	await wallet.tick('I agree');
	await screens.take(wallet, 'customer-request');
	await wallet.press('Share and connect');
	await wallet.openMail('Welcome, Ben');
	await screens.take(wallet, 'customer-welcome');
	await editor.openExecutions();
	await screens.take(editor, 'customer-answers');

	await wallet.choosePerson('Ada');
	await wallet.pasteCode();
	await wallet.tick('I agree');
	await screens.take(wallet, 'request-to-a-contact');
	await wallet.press('Accept');
	await wallet.openMail('Welcome, Ada Augusta');
	await screens.take(wallet, 'answer-of-a-contact');

	await editor.openWorkflow('5. Tell about a new name');
	await editor.openNode('New name');
	await editor.pickOwnName(organisation);
	await screens.take(editor, 'new-name');
	await editor.closeNode();
	await editor.execute(2);
	await screens.take(editor, 'new-name-told');
	for (const person of ['Ada', 'Ben']) {
		await wallet.choosePerson(person);
		await wallet.show('Contacts');
		await wallet.untilShown(`${organisation} International`);
		await screens.take(wallet, `new-name-at-${person.toLowerCase()}`);
	}
	await editor.openDataTable('Customer list');
	await editor.untilShown('Ben');
	await screens.take(editor, 'both-customers');
}

export const stories = [firstRelationship, customersTable, twoPeople];
