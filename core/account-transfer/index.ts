/** Moving, backing up and verifying accounts (docs/adr/0018-moving-an-account.md). */
export { exportAccount, type Export } from './export-account';
export { importAccount, type Import } from './import-account';
export { moveAccount, type Move } from './move-account';
export { accountExists, removeAccount } from './remove-account';
export type { AccountPlace, BackboneClient, CopyReport, TransferOptions } from './transfer-types';
export {
	verifyAccount,
	type CopyToVerify,
	type VerificationReport,
	type VerifiedCopy,
} from './verify-account';
