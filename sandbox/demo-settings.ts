import type { SandboxBackbone } from './sandbox-backbone';

/**
 * Lets a Backbone serve the demo: its links open the demo wallet, and it knows the notification of the
 * example of a school (docs/examples/school).
 */
export function prepareForDemo(backbone: SandboxBackbone, walletUrl: string): void {
	backbone.walletUrl = walletUrl;
	backbone.operatorTexts.configureNotification('mbr.schoolModule.certificateNotification', {
		en: { title: 'A certificate', body: 'Your school has sent you a certificate.' },
	});
}
