import type { Newcomer } from './newcomer';

/** The end of the first story: the person is a row of the table, and is found by email address. */
export async function customersTable({ editor, wallet, screens }: Newcomer): Promise<void> {
	await editor.openDataTable('Customer list');
	await editor.page.getByText('ada@example.com').first().waitFor();
	await screens.take(editor.page, 'customer-list');

	await wallet.show('My data');
	await wallet.press('Change Given name');
	await wallet.enterAnew('Given name', 'Ada Augusta');
	await screens.take(wallet.page, 'changed-name');
	await wallet.press('Save');
	await editor.openDataTable('Customer list');
	await editor.untilShown('Ada Augusta');
	await screens.take(editor.page, 'changed-row');

	await editor.openWorkflow('14. Look a customer up and write');
	await screens.take(editor.page, 'lookup-workflow');
	const form = await editor.executeForm();
	await form.getByLabel('Email address').click();
	await form.keyboard.type('ada@example.com');
	await form.getByLabel('Subject').click();
	await form.keyboard.type('We are open');
	await form.getByLabel('Text').click();
	await form.keyboard.type('Every day from nine to five.');
	await screens.take(form, 'lookup-form');
	await form.getByRole('button', { name: 'Submit' }).click();
	await form.getByText('Sent to Ada Augusta').waitFor();
	await screens.take(form, 'lookup-sent');
	await wallet.openMail('We are open');
	await screens.take(wallet.page, 'lookup-mail');
}
