/** Library for OpenID Connect, in a file of its own that only sign-ins by a provider load. */
export {
	allowInsecureRequests,
	authorizationCodeGrant,
	buildAuthorizationUrl,
	calculatePKCECodeChallenge,
	customFetch,
	discovery,
	fetchUserInfo,
	randomNonce,
	randomPKCECodeVerifier,
	randomState,
} from 'openid-client';
