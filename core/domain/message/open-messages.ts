import { MessageAttachments } from './message-attachments';
import type { MessageDependencies } from './message-dependencies';
import { MessageReceipt } from './message-receipt';
import { MessageService } from './message-service';
import { LocalSends } from './sending/local-sends';
import { MessageSending } from './sending/message-sending';
import { PreparedMessages } from './sending/prepared-messages';
import { RepeatedSending } from './sending/repeated-sending';
import { SendClaims } from './sending/send-claims';
import { SendIntents } from './sending/send-intents';
import { SendPreparation } from './sending/send-preparation';
import { SendSettlement } from './sending/send-settlement';
import { SentMessageSearch } from './sending/sent-messages';

export type MessageServices = ReturnType<typeof openMessages>;

/** The services for messages of one account, which share the sends of this process. */
export function openMessages(dependencies: MessageDependencies) {
	const localSends = new LocalSends();
	const sendClaims = new SendClaims(dependencies, localSends);
	const sendIntents = new SendIntents(dependencies, localSends);
	const search = new SentMessageSearch(dependencies, localSends);
	const messageAttachments = new MessageAttachments(dependencies);
	const messageReceipt = new MessageReceipt(dependencies, messageAttachments);
	const preparation = new SendPreparation(dependencies, messageAttachments, sendClaims);
	const parts = { localSends, sendClaims, sendIntents, search, preparation };
	const sending = new MessageSending(dependencies, parts);
	const repeated = new RepeatedSending(dependencies, parts, sending, messageReceipt);
	return {
		messages: new MessageService(dependencies, parts, sending, repeated),
		messageAttachments,
		messageReceipt,
		/** messages that are committed together with another change */
		preparedMessages: new PreparedMessages(dependencies, parts, sending),
		/** transitions of stored sends */
		sendIntents,
		/** settlement of sends with an unknown outcome */
		sendSettlement: new SendSettlement(dependencies, parts, sending),
		sendClaims,
		localSends,
	};
}
