/** Moving, backing up and verifying accounts (docs/adr/0018-moving-an-account.md). */
export { exportAccount, type Export } from './export-account';
export { importAccount, type Import } from './import-account';
export { moveAccount, type CopyReport, type Move } from './move-account';
export type { AccountPlace, BackboneClient, MovingDependencies } from './moving-deps';
export {
	verifyAccount,
	type CopyToVerify,
	type VerificationReport,
	type VerifiedCopy,
} from './verify-account';
