import { lifePromises } from '../store/life';
import { listenerPromises } from '../store/listeners';
import { transactionPromises } from '../store/transactions';
import { describeInMemory } from './in-memory';

describeInMemory(lifePromises, listenerPromises, transactionPromises);
