import type { Route } from '../http/context';
import { challengeRoutes } from './challenges';
import { datawalletRoutes } from './datawallet';
import { deletionRoutes } from './deletion-processes';
import { deviceRoutes } from './devices';
import { featureFlagRoutes } from './feature-flags';
import { fileRoutes } from './files';
import { generalRoutes } from './general';
import { identityRoutes } from './identities';
import { messageRoutes } from './messages';
import { operatorTextRoutes } from './operator-texts';
import { relationshipRoutes } from './relationships';
import { syncRoutes } from './sync-runs';
import { templateRoutes } from './templates';
import { tokenRoutes } from './tokens';

export const allRoutes: readonly Route[] = [
	...generalRoutes,
	...challengeRoutes,
	...identityRoutes,
	...featureFlagRoutes,
	...deviceRoutes,
	...deletionRoutes,
	...datawalletRoutes,
	...syncRoutes,
	...templateRoutes,
	...relationshipRoutes,
	...messageRoutes,
	...tokenRoutes,
	...fileRoutes,
	...operatorTextRoutes,
];
