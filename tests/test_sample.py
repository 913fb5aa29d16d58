"""The payments that the documentation uses: the same each time, with what is planted in them."""

import time
from datetime import datetime

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pyspark_bic import bic_components, sample
from session_settings import restored


def test_payments_are_the_same_each_time(spark: SparkSession) -> None:
    found = sample.payments(spark)
    assert found.collect() == sample.payments(spark).collect()
    assert found.drop("payment_id").collect() != sample.payments(spark, seed=1).collect()
    rows = found.agg(F.count("*"), F.count_distinct("payment_id"), F.min("time"), F.max("time"))
    [(count, ids, first, last)] = rows.collect()
    assert count == ids == 194
    assert (last - first).total_seconds() < 3 * 3600
    assert sample.payments(spark, hours=5).count() == 194 + 120
    assert found.where("arrived < time OR payer = payee").isEmpty()


def test_what_is_planted_is_found(spark: SparkSession) -> None:
    payments = sample.payments(spark)
    with_country = payments.join(sample.accounts(spark).toDF("payer", "of_payer", "_"), "payer")
    assert with_country.count() == payments.count()
    assert with_country.where("country <> of_payer").isEmpty()
    found = bic_components(payments, src="payer", dst="payee", by="country").collect()
    names = {row.vertex: row.component for row in found}
    assert {names[name] for name in ("ann", "bob", "cleo", "dan", "eve", "mule2")} == {"ann"}
    assert {names[f"ring{number}"] for number in range(1, 7)} == {"ring1"}
    share = payments.where("phone = 'hotline'").count() / payments.count()
    assert 0.09 < share < 0.11


@pytest.mark.classic("a session on this machine")
def test_a_session_for_trying_things_out(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    with restored(spark), monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "America/New_York")
        time.tzset()
        assert datetime(1970, 1, 1).timestamp() == 5 * 3600
        assert sample.session() is spark
        assert datetime(1970, 1, 1).timestamp() == 0
        assert spark.conf.get("spark.sql.shuffle.partitions") == "1"
        assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    time.tzset()
