// An object is a lab, or the desk, which makes and counts labs; what it is asked shows which. The Go program kept alive
// in it decides everything; its state is in the object's own database, so that a program which ended is followed
// by another one that knows as much.
import { DurableObject } from "cloudflare:workers";
import { boot, serve } from "./gohost.mjs";

export class Lab extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(() => this.program());
  }

  // program gives the living program, and starts one where there is none.
  async program() {
    if (this.go === undefined || this.go.dead) {
      this.starting ??= boot({ ...this.env, OBJECT: own(this.ctx, this.env) }, this.ctx).finally(() => {
        this.starting = undefined;
      });
      this.go = await this.starting;
    }
    return this.go;
  }

  async fetch(request) {
    return serve(await this.program(), request);
  }

  // What objects ask each other: make this object a lab, say when it is over, and forget a lab that is.
  async create(row) {
    return ask(await this.program(), "create", row);
  }

  async expires(id) {
    return ask(await this.program(), "expires", id);
  }

  async forget(id) {
    return ask(await this.program(), "forget", id);
  }

  async alarm() {
    if ((await ask(await this.program(), "expire", "")) === "empty") await this.ctx.storage.deleteAll();
  }
}

// ask lets the program do something that is no request; a fault of it becomes an error here.
function ask(host, what, text) {
  return new Promise((resolve, reject) => {
    host.binding[what](text, (fault, answer) => (fault === "" ? resolve(answer) : reject(new Error(fault))));
  });
}

// own is what the program gets of its object: the database, the alarm, and the other objects.
function own({ id, storage }, { LAB }) {
  const find = (other) => LAB.get(LAB.idFromString(other));
  return {
    id: id.toString(),
    exec(statement, args) {
      const cursor = storage.sql.exec(statement, ...args);
      return [cursor.columnNames, [...cursor.raw()]];
    },
    // transact keeps what a step has done if it returns true.
    transact(step) {
      const undo = new Error("undo");
      try {
        storage.transactionSync(() => {
          if (!step()) throw undo;
        });
      } catch (error) {
        if (error !== undo) throw error;
      }
    },
    wake: (at) => storage.setAlarm(at),
    newID: () => LAB.newUniqueId().toString(),
    create: (other, row) => find(other).create(row),
    expires: (other) => find(other).expires(other),
    forget: (other, lab) => find(other).forget(lab),
  };
}
