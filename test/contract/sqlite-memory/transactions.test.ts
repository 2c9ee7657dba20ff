import { accountStatePromises } from '../store/account-state';
import { listenerPromises } from '../store/listeners';
import { transactionPromises } from '../store/transactions';
import { describeInMemory } from './in-memory';

describeInMemory(accountStatePromises, listenerPromises, transactionPromises);
