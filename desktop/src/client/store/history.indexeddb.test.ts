import { describeHistoryContract } from "../../store/history.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

describeHistoryContract("IndexedDB", openEmpty);
