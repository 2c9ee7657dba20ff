import type { Newcomer } from './newcomer';

/** 'Try it: the first relationship' of the README, from the sign-in to the first answer by mail. */
export async function firstRelationship(newcomer: Newcomer): Promise<void> {
	await showTheCode(newcomer);
	await connect(newcomer);
	await exchangeMails(newcomer);
}

async function showTheCode({ addresses, editor, screens }: Newcomer): Promise<void> {
	await editor.enterLogin(addresses.n8n, addresses.email, addresses.password);
	await screens.take(editor.page, 'sign-in');
	await editor.signIn();
	await screens.take(editor.page, 'workflows');
	await editor.openWorkflow('1. Show a QR code');
	await editor.execute(2);
	await screens.take(editor.page, 'executed');
	await editor.openNode('Create QR code');
	await screens.take(editor.page, 'output');
	await editor.copyLink();
	await screens.take(editor.page, 'link');
	await editor.closeNode();
}

async function connect({ addresses, wallet, screens }: Newcomer): Promise<void> {
	await wallet.open(addresses.wallet);
	await screens.take(wallet.page, 'wallet');
	await wallet.pasteCode();
	await wallet.enter('Given name', 'Ada');
	await wallet.enter('Email address', 'ada@example.com');
	await screens.take(wallet.page, 'request');
	await wallet.press('Share and connect');
	await wallet.show('Contacts');
	await wallet.untilShown('Connected');
	await screens.take(wallet.page, 'connected');
}

async function exchangeMails({ editor, wallet, screens }: Newcomer): Promise<void> {
	await wallet.openMail('Welcome, Ada');
	await screens.take(wallet.page, 'welcome');
	await wallet.answer('When do you open?');
	await screens.take(wallet.page, 'reply');
	await wallet.press('Send');
	await wallet.openMail('Re: Welcome, Ada');
	await screens.take(wallet.page, 'answered');
	await editor.openWorkflow('2. Welcome the person');
	await editor.openExecutions();
	await screens.take(editor.page, 'executions');
}
