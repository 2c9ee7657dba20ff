/** What an account has about a person: loaded when it is first asked for. */
export { ContactErasure } from './contact-erasure';
export { ContactExport } from './contact-export';
export { ContactHistory } from './contact-history';
