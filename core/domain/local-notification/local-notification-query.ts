import type { LocalNotificationField } from '../../store/store';
import { scalar, text, type QueryFields } from '../collection-query';

/** docs/protocol/consumption.md 9.1, 15 */
export const localNotificationQueryFields: QueryFields<LocalNotificationField> = {
	isOwn: scalar('isOwn'),
	peer: text('peer'),
	createdAt: text('createdAt'),
	receivedByDevice: text('receivedByDevice'),
	status: text('status'),
	'source.reference': text('sourceReference'),
};
