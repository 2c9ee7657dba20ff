import type { PrintedAddresses } from '../running-demo';
import type { Builder } from './builder';
import type { EffortCounter } from './effort';
import type { CustomerSystem } from './programs';
import type { People } from './visitor';
import type { Sentence } from './text';

/** Who and what the sentences speak about. */
export interface Scene {
	readonly addresses: PrintedAddresses;
	readonly builder: Builder;
	readonly people: People;
	readonly customers: CustomerSystem;
	readonly effort: EffortCounter;
}

type Action = (scene: Scene, ...parts: string[]) => Promise<void>;
type Grammar = Readonly<Record<string, Action>>;

/** What the person does who builds, in n8n: counted. `**` stands for a name, a back quote for text. */
const building: Grammar = {
	'Open the overview.': ({ builder }) => builder.openOverview(),
	'Open the tab **.': ({ builder }, name) => builder.openTab(name),
	'Press **.': ({ builder }, text) => builder.press(text),
	'Enter ` in **.': ({ builder, customers }, text, label) =>
		builder.enter(customers.addressIn(text), label),
	'Enter the expression ` in **.': ({ builder }, text, label) =>
		builder.enterExpression(text, label),
	'Enter ` in the empty field **.': ({ builder }, text, name) => builder.enterIntoEmpty(text, name),
	'Enter the expression ` in the empty field **.': ({ builder }, text, name) =>
		builder.enterExpressionIntoEmpty(text, name),
	'Choose ** in **.': ({ builder }, text, label) => builder.choose([text], label),
	'Press ** above **.': ({ builder }, text, label) => builder.pressAbove(text, label),
	'Choose ** at the left of **.': ({ builder }, mode, label) => builder.chooseMode(mode, label),
	'Choose ** and ** in **.': ({ builder }, one, other, label) =>
		builder.choose([one, other], label),
	'Choose **, ** and ** in **.': ({ builder }, first, second, third, label) =>
		builder.choose([first, second, third], label),
	'Choose ** under **.': ({ builder }, text, list) => builder.addFrom(list, text),
	'Press ** and choose the file `.': ({ builder }, text, path) => builder.chooseFile(text, path),
	'Switch ** on.': ({ builder }, label) => builder.toggle(label),
	'Switch ** off.': ({ builder }, label) => builder.toggle(label),
	'Add the first step **.': ({ builder }, name) => builder.add(name),
	'Take the first step ** from the list.': ({ builder }, name) => builder.addListed(name),
	'Add the first step ** of **.': ({ builder }, action, name) => builder.add(name, { action }),
	'Add the further step **.': ({ builder }, name) => builder.add(name, { isApart: true }),
	'Add ** behind **.': ({ builder }, name, after) => builder.add(name, { after }),
	'Add ** of ** behind **.': ({ builder }, action, name, after) =>
		builder.add(name, { action, after }),
	'Open the node **.': ({ builder }, name) => builder.openNode(name),
	'Close the node.': ({ builder }) => builder.closeNode(),
	'Copy the production URL.': ({ builder }) => builder.copyProductionUrl(),
	'Publish the workflow.': ({ builder }) => builder.publish(),
	'Execute the workflow.': ({ builder }) => builder.execute(),
};

/** What other people do, and what has to be true: not counted. */
const others: Grammar = {
	'** is connected with you.': connect,
	'** and ** are connected with you.': connect,
	'**, ** and ** are connected with you.': connect,
	'** opens the copied address and scans the code.': ({ people, builder }, name) =>
		people.scan(name, builder.copied),
	'** enters ` in **.': async ({ people }, name, text, label) =>
		await (await people.as(name)).enter(label, text),
	'** presses **.': async ({ people }, name, button) => await (await people.as(name)).press(button),
	'** writes the mail ` with the files ` and `.': ({ people }, name, subject, ...files) =>
		people.writeMail(name, subject, files),
	'** opens the request **, ticks ** and presses **.': ({ people }, name, title, box, button) =>
		people.consent(name, title, box, button),
	'Result: the data table ** has a row with ` and `.': ({ builder }, name, ...texts) =>
		builder.untilRow(name, texts),
	'Result: ** has the mail ` with the files ` and `.': ({ people }, name, subject, ...files) =>
		people.readMail(name, subject, files),
	'Result: the CRM has received ` and `.': ({ customers }, ...texts) =>
		customers.untilReceived(texts),
	'Result: the page shows `.': ({ people }, text) =>
		people.page.getByText(text).first().waitFor({ timeout: 60_000 }),
	'Result: the node ** has run.': ({ builder }, name) => builder.untilRun(name),
	'Result: the PDF of ** has ` pages.': ({ builder }, name, pages) =>
		builder.requirePages(name, Number(pages)),
};

/** Connects people by the code of the first example. */
async function connect({ people, builder }: Scene, ...names: string[]): Promise<void> {
	const { editor } = builder;
	for (const name of names) {
		await people.connect(name, async () => {
			await editor.openWorkflow('1. Show a QR code');
			await editor.execute(2);
			await editor.openNode('Create QR code');
			await editor.copyLink();
			await editor.closeNode();
			return await builder.page.evaluate<string>('navigator.clipboard.readText()');
		});
	}
}

/** Time that a hand needs from one step to the next. */
const paceMs = 800;

interface Rule {
	readonly pattern: RegExp;
	readonly action: Action;
	readonly isCounted: boolean;
}

const rulesOf = (grammar: Grammar, isCounted: boolean): Rule[] =>
	Object.entries(grammar).map(([form, action]) => ({
		pattern: patternOf(form),
		action,
		isCounted,
	}));

const rules = [...rulesOf(building, true), ...rulesOf(others, false)];

/** @param form `**` for a bold text, a back quote for a text in back quotes */
function patternOf(form: string): RegExp {
	const source = form
		.replaceAll('.', String.raw`\.`)
		.replaceAll('**', '<bold>')
		.replaceAll('`', '`([^`]+)`')
		.replaceAll('<bold>', String.raw`\*\*([^*]+)\*\*`);
	return new RegExp(`^${source}$`);
}

/**
 * Finds what each sentence means.
 *
 * @throws Error with the line of the first sentence that has no meaning
 */
export function understand(sentence: Sentence): (scene: Scene) => Promise<void> {
	for (const { pattern, action, isCounted } of rules) {
		const [whole, ...parts] = pattern.exec(sentence.text) ?? [];
		if (whole === undefined) continue;
		return async (scene) => {
			const act = async (): Promise<void> => {
				await action(scene, ...parts);
				// The editor keeps what was entered with a delay, and closes its windows slowly.
				await scene.builder.page.waitForTimeout(paceMs);
			};
			await (isCounted ? scene.effort.measure(act) : act());
		};
	}
	throw new Error(
		`docs/stories.md:${sentence.line}: this sentence has no meaning: ${sentence.text}`,
	);
}
