import type {
	AttributeDto,
	AttributeQuery,
	Gateway,
	MessageContent,
	RequestItem,
	ResponseItem,
} from '../../index';

/* Contents are told apart by `@type`. Only compiled, never run. */

/** Without a case for each type, a function without a last `return` does not compile. */
export function right(content: MessageContent): string {
	switch (content['@type']) {
		case 'Mail':
			return `${content.subject} ${content.bodyFormat ?? ''} ${content.to.join()}`;
		case 'Request':
			return content.items.map(namesIn).join();
		case 'ResponseWrapper':
			return content.response.items.map((item) => item['@type']).join();
		case 'Notification':
			return content.items.map((item) => item['@type']).join();
		case 'ArbitraryMessageContent':
			return JSON.stringify(content.value);
	}
}

function namesIn(entry: Extract<MessageContent, { '@type': 'Request' }>['items'][number]): string {
	return entry['@type'] === 'RequestItemGroup' ? entry.items.map(nameOf).join() : nameOf(entry);
}

function nameOf(item: RequestItem): string {
	switch (item['@type']) {
		case 'ReadAttributeRequestItem':
			return keyOf(item.query);
		case 'ShareAttributeRequestItem':
			return item.attribute.value['@type'];
		case 'FormFieldRequestItem':
			return item.settings['@type'] === 'RatingFormFieldSettings'
				? String(item.settings.maxRating)
				: item.title;
		default:
			return item['@type'];
	}
}

function keyOf(query: AttributeQuery): string {
	switch (query['@type']) {
		case 'IdentityAttributeQuery':
			return query.valueType;
		case 'IQLQuery':
			return query.queryString;
		case 'RelationshipAttributeQuery':
		case 'ThirdPartyRelationshipAttributeQuery':
			return query.key;
	}
}

export function valueIn({ content }: AttributeDto): string | number | undefined {
	if (content['@type'] !== 'IdentityAttribute') return content.key;
	const { value } = content;
	return value['@type'] === 'EMailAddress' || value['@type'] === 'BirthYear'
		? value.value
		: undefined;
}

// @ts-expect-error a case is missing
export function wrongCases(item: ResponseItem): string {
	switch (item['@type']) {
		case 'AcceptResponseItem':
			return item.result;
	}
}

export async function wrong({ messages, outgoingRequests }: Gateway, content: MessageContent) {
	// @ts-expect-error a mail has a subject and a body
	await messages.send({ recipients: ['did:e:a:dids:1'], content: { '@type': 'Mail', to: [] } });
	// @ts-expect-error no content has this type
	await messages.send({ recipients: ['did:e:a:dids:1'], content: { '@type': 'Mial' } });
	await outgoingRequests.create({
		peer: 'did:e:a:dids:1',
		// @ts-expect-error an item says whether it must be accepted
		content: { items: [{ '@type': 'FreeTextRequestItem', freeText: 'Hello' }] },
	});
	// @ts-expect-error a type that no message has
	if (content['@type'] === 'Attribute') return content;
	// @ts-expect-error a request has no subject
	return content['@type'] === 'Request' ? content.subject : undefined;
}
