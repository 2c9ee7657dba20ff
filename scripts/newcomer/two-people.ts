import type { Newcomer } from './newcomer';

const organisation = 'Example Organisation';

/** 'A story without JSON' of the README, with a second person in the wallet of the first. */
export async function twoPeople(newcomer: Newcomer): Promise<void> {
	await makeTheCode(newcomer);
	await replaceTheWelcome(newcomer);
	await connectASecondPerson(newcomer);
	await askTheFirstPerson(newcomer);
	await tellANewName(newcomer);
}

async function makeTheCode({ editor, screens }: Newcomer): Promise<void> {
	await editor.openWorkflow('6. Enter your name');
	await editor.execute(2);
	await screens.take(editor.page, 'own-name');

	await editor.openWorkflow('7. Ask new customers');
	await editor.openNode('Create QR code');
	await editor.pickOwnName(organisation);
	await screens.take(editor.page, 'customer-form');
	await editor.closeNode();
	await editor.execute(2);
	await editor.openNode('Create QR code');
	await editor.copyLink();
	await editor.closeNode();
}

async function replaceTheWelcome({ editor, screens }: Newcomer): Promise<void> {
	await editor.openWorkflow('2. Welcome the person');
	await editor.unpublish();
	await screens.take(editor.page, 'unpublished');
	await editor.openWorkflow('8. Greet new customers');
	await editor.publish();
	await screens.take(editor.page, 'published');
}

async function connectASecondPerson({ editor, wallet, screens }: Newcomer): Promise<void> {
	await wallet.addPerson('Ben');
	await screens.take(wallet.page, 'second-person');
	await wallet.pasteCode();
	await wallet.enter('Given name', 'Ben');
	await wallet.enter('Email address', 'ben@example.com');
	await wallet.tick('I agree');
	await screens.take(wallet.page, 'customer-request');
	await wallet.press('Share and connect');
	await wallet.openMail('Welcome, Ben');
	await screens.take(wallet.page, 'customer-welcome');
	await editor.openExecutions();
	await screens.take(editor.page, 'customer-answers');
}

async function askTheFirstPerson({ wallet, screens }: Newcomer): Promise<void> {
	await wallet.choosePerson('Ada');
	await wallet.pasteCode();
	await wallet.tick('I agree');
	await screens.take(wallet.page, 'request-to-a-contact');
	await wallet.press('Accept');
	await wallet.openMail('Welcome, Ada Augusta');
	await screens.take(wallet.page, 'answer-of-a-contact');
}

async function tellANewName({ editor, wallet, screens }: Newcomer): Promise<void> {
	await editor.openWorkflow('5. Tell about a new name');
	await editor.openNode('New name');
	await editor.pickOwnName(organisation);
	await screens.take(editor.page, 'new-name');
	await editor.closeNode();
	await editor.execute(4);
	await screens.take(editor.page, 'new-name-told');
	for (const person of ['Ada', 'Ben']) {
		await wallet.choosePerson(person);
		await wallet.show('Contacts');
		await wallet.untilShown(`${organisation} International`);
		await screens.take(wallet.page, `new-name-at-${person.toLowerCase()}`);
	}
	await editor.openDataTable('Customer list');
	await editor.untilShown('Ben');
	await screens.take(editor.page, 'both-customers');
}
